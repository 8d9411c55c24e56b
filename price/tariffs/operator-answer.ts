import { hash } from 'node:crypto';
import { asArray, asObject, groupNames, type JsonObject, readEltariff, type TariffCollection } from './eltariff.ts';

/** Reads the answer of an operator's interface. Ids that are not UUIDs, as some operators use, are replaced. */
export const readOperatorAnswer = (value: unknown): TariffCollection => {
  const answer = asObject(Array.isArray(value) ? { tariffs: value } : value);
  const { tariffs } = answer;
  return readEltariff({ ...answer, tariffs: Array.isArray(tariffs) ? tariffs.map(asObject).map(withUuids) : tariffs });
};

function withUuids(tariff: JsonObject): JsonObject {
  const { id, companyOrgNo } = tariff;
  const uuid = uuidOf(id, String(companyOrgNo));
  const own = String(uuid);
  const groups = groupNames.map((name) => {
    const group = tariff[name] == null ? undefined : asObject(tariff[name]);
    const components = asArray(group?.components).map(asObject);
    return [
      name,
      group && {
        ...group,
        id: uuidOf(group.id ?? name, own),
        name: group.name ?? name,
        components: components.map((component, n) => ({
          ...component,
          id: uuidOf(component.id ?? `${name} ${n}`, own),
          name: component.name ?? group.name ?? name,
        })),
      },
    ];
  });
  return {
    ...tariff,
    ...Object.fromEntries(groups),
    id: uuid,
    ...(isCode(id) && { product: id }), // a code is the same in every list, as a product is
  };
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const isUuid = (id: string): boolean => uuidForm.test(id);

const hexadecimal = /^[0-9a-f]{32}$/i;

const isCode = (id: unknown): id is string => typeof id === 'string' && !hexadecimal.test(id) && !isUuid(id);

/** Returns a UUID for an id within an operator or tariff: the same one for the same id. */
function uuidOf(id: unknown, within: string): unknown {
  if (typeof id !== 'string' || id === '' || isUuid(id)) return id;
  const digits = hexadecimal.test(id) ? id : hash('sha256', `${within} ${id}`);
  return digits.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
