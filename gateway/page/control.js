import { element } from './element.js';
import { ask } from './gateway-api.js';

const words = { battery: 'Battery', pv: 'Solar limit', take: 'Control' };
const typed = new Map(); // what is being typed outlives the refresh

async function send(device, path, body) {
  const problem = document.getElementById('trouble');
  try {
    await ask(`/api/control/${encodeURIComponent(device.sn)}/${path}`, { method: 'POST', body });
    problem.hidden = true;
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
  }
}

function order(device, path, label) {
  const key = `${device.sn} ${path}`;
  const watts = element('input', { type: 'number', step: 100, value: typed.get(key) ?? '', placeholder: 'W' });
  watts.ariaLabel = `${label} of ${device.sn} in watts`;
  watts.addEventListener('input', () => typed.set(key, watts.value));
  const button = element('button', { type: 'submit', text: label });
  const form = element('form', { className: 'order' }, [watts, button]);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (watts.value !== '') void send(device, path, { power_w: Number(watts.value) });
  });
  return form;
}

/** What is held of a device with the time it still holds, and the orders that can be given. */
export function controlOf(device, held) {
  const can = (kind) => device.ders.some(({ type }) => type === kind);
  if (!can('battery') && !can('v2x_charger') && !can('pv')) return [];
  const release = element('button', { type: 'button', text: 'Release' });
  release.addEventListener('click', () => void send(device, 'deinit'));
  const lines = (held?.held ?? []).map(({ subject, power_w, origin, ends_in_s }) =>
    element('p', {
      className: 'held',
      text: `${words[subject] ?? subject}: ${power_w} W by ${origin}, ${ends_in_s} s left`,
    }),
  );
  if (held?.state === 'releasing') lines.push(element('p', { className: 'held', text: 'Returning to its own mode…' }));
  const orders = [
    ...(can('battery') || can('v2x_charger') ? [order(device, 'battery', 'Set battery')] : []),
    ...(can('pv') ? [order(device, 'curtail', 'Limit solar')] : []),
    ...(held ? [release] : []),
  ];
  return [
    ...lines,
    element('details', { open: held !== undefined || typed.size > 0 }, [
      element('summary', { className: 'quiet', text: 'Control' }),
      ...orders,
    ]),
  ];
}
