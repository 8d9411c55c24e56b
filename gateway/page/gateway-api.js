const tokenKey = 'ohmstead-local-token';

/** Asks the local API. A gateway that is guarded wants its token, which is kept for this tab. */
export async function ask(path, { method = 'GET', body } = {}) {
  const token = sessionStorage.getItem(tokenKey);
  const answer = await fetch(path, {
    method,
    headers: {
      'x-api-form': 'later',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (answer.status === 204) return {};
  const said = await answer.json();
  if (answer.status === 401) askForToken();
  if (!answer.ok) throw new Error(said.message);
  return said;
}

function askForToken() {
  const form = document.getElementById('token');
  if (!form.hidden) return;
  form.hidden = false;
  const take = (event) => {
    event.preventDefault();
    sessionStorage.setItem(tokenKey, form.elements.token.value.trim());
    form.hidden = true;
  };
  form.addEventListener('submit', take, { once: true });
}
