// Runs in a foreign page: every means that a browser has to send a request to another origin.
// Each settles when the browser is done, or after a while.
export const foreignPage = `<!doctype html><title>a page of somebody else</title><body><script>
const patienceMs = 2000;
const atOnce = 6;
const settled = (promise) =>
  Promise.race([promise.catch(() => {}), new Promise((resolve) => setTimeout(resolve, patienceMs))]);

async function loading(name, attributes) {
  const element = Object.assign(document.createElement(name), attributes);
  const done = new Promise((resolve) => Object.assign(element, { onload: resolve, onerror: resolve, onloadeddata: resolve }));
  document.body.append(element);
  await settled(done);
  element.remove();
}

let frames = 0;
async function submitting(action, enctype, text) {
  const frame = Object.assign(document.createElement('iframe'), { name: 'frame' + frames++ });
  document.body.append(frame);
  const form = Object.assign(document.createElement('form'), { action, enctype, method: 'POST', target: frame.name });
  // As text/plain this is JSON: the parts before and after the =.
  const begin = text.length > 2 ? text.slice(0, -1) + ',' : '{';
  form.append(Object.assign(document.createElement('input'), { name: begin + '"x":"', value: '"}' }));
  document.body.append(form);
  const done = new Promise((resolve) => (frame.onload = resolve));
  form.submit();
  await settled(done);
  frame.remove();
  form.remove();
}

const opening = (open) => settled(new Promise((resolve) => {
  const opened = open();
  opened.onerror = opened.onopen = opened.onclose = () => resolve(opened.close());
}));

const asJson = { 'content-type': 'application/json' };
const ways = {
  form: (url, method, text) => submitting(url, 'application/x-www-form-urlencoded', text),
  'form as text': (url, method, text) => submitting(url, 'text/plain', text),
  'form of parts': (url, method, text) => submitting(url, 'multipart/form-data', text),
  'fetch without a body': (url) => settled(fetch(url, { mode: 'no-cors', method: 'POST' })),
  'fetch with text': (url, method, body) => settled(fetch(url, { mode: 'no-cors', method: 'POST', body })),
  'fetch with credentials': (url, method, body) =>
    settled(fetch(url, { mode: 'no-cors', credentials: 'include', method: 'POST', body })),
  'fetch of a plain address': (url) => settled(fetch(url, { mode: 'no-cors' })),
  'fetch with a preflight': (url, method, body) =>
    settled(fetch(url, { method, headers: asJson, ...(method !== 'GET' && { body }) })),
  'fetch with a preflight, without a body': (url, method) => settled(fetch(url, { method })),
  'XMLHttpRequest': (url, method, text) => settled(new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.onloadend = resolve;
    request.open(method, url);
    request.send(text);
  })),
  beacon: async (url, method, text) => void navigator.sendBeacon(url, text),
  'beacon with JSON': async (url, method, text) => void navigator.sendBeacon(url, new Blob([text], { type: asJson['content-type'] })),
  image: (url) => loading('img', { src: url }),
  script: (url) => loading('script', { src: url }),
  style: (url) => loading('link', { rel: 'stylesheet', href: url }),
  frame: (url) => loading('iframe', { src: url }),
  object: (url) => loading('object', { data: url }),
  'event source': (url) => opening(() => new EventSource(url)),
  'web socket': (url) => opening(() => new WebSocket(url.replace('http', 'ws'))),
};

/** Tries everything on each of the requests, and returns the number of attempts. */
async function attack(requests) {
  for (let start = 0; start < requests.length; start += atOnce) {
    const some = requests.slice(start, start + atOnce);
    await Promise.all(some.flatMap(({ url, method, text }) => Object.values(ways).map((way) => way(url, method, text))));
  }
  return requests.length * Object.keys(ways).length;
}

/** Sends requests to the page's own origin, and returns the statuses. */
async function askOwn(requests) {
  const statuses = [];
  for (const { url, method, text } of requests) {
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const stop = new AbortController(); // a stream has no end
    const answer = await fetch(url, { method, signal: stop.signal, ...(hasBody && { body: text, headers: asJson }) });
    statuses.push(answer.status);
    stop.abort();
  }
  return statuses;
}
</script>`;

/** A request that a page is to make. */
export type Wanted = { url: string; method: string; text: string };
