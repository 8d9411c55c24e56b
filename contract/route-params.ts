import type { TObject } from 'typebox';
import { paramNames, type Route } from './route.ts';
import { Type } from './schema.ts';
import { Id } from './text.ts';

/** What the names in the path of a route stand for: ids, unless it says otherwise. */
export const paramsOf = ({ params, path }: Route): TObject =>
  params ?? Type.Object(Object.fromEntries(paramNames(path).map((name) => [name, Id])));
