// Writes what the API's description says about the fields of every form (save, draft, sign-in), so that a form refuses what
// the server would refuse, with the same faults and thus the same sentences: limits.mjs openapi.json limits.gen.ts
import { readFileSync, writeFileSync } from 'node:fs';

const [description, output] = process.argv.slice(2);
const { paths, components } = JSON.parse(readFileSync(description, 'utf8'));

const follow = (schema) => (schema.$ref ? components.schemas[schema.$ref.split('/').at(-1)] : schema);
const types = (schema) => [schema.type ?? []].flat();
const kept = ['minLength', 'maxLength', 'minimum', 'maximum', 'pattern'];

/** Must something be there? A text says so by its least length; a switch is always there. */
function needed(schema) {
  if (types(schema).includes('null')) return false;
  const chosen = schema.enum || ['uuid', 'date'].includes(schema.format);
  return (
    schema.minLength > 0 || Boolean(chosen) || types(schema).some((type) => type === 'integer' || type === 'number')
  );
}

function limitsOf(schema, prefix = '') {
  const found = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const field = follow(property);
    if (field.readOnly) continue;
    const rows = types(field).includes('array');
    const inside = rows ? follow(field.items ?? {}) : field;
    if (inside.properties) Object.assign(found, limitsOf(inside, `${prefix}${name}.${rows ? '*.' : ''}`));
    if (rows || inside.properties) continue;
    const limit = Object.fromEntries(kept.filter((key) => key in field).map((key) => [key, field[key]]));
    if (schema.required?.includes(name) && needed(field)) limit.required = true;
    if (Object.keys(limit).length) found[prefix + name] = limit;
  }
  return found;
}

const forms = Object.entries(paths).flatMap(([path, { post }]) => {
  const body = post?.requestBody?.content?.['application/json']?.schema;
  if (
    !body ||
    !/\/(save|draft|taxreturn\/propose|password\/change|organize\/suspend|(plan|announcement)\/add)(\/|$)/.test(path)
  )
    return [];
  return [[path, limitsOf(follow(body))]];
});

writeFileSync(
  output,
  `// Made from api/openapi.json by \`make generate\`.\nexport const limits = ${JSON.stringify(Object.fromEntries(forms), null, 2)} as const;\n`,
);
