import { definitionOf } from './random/tables.js'
import type { Round } from './round.js'
import type { WitnessName } from './sides/side.js'

const ENVIRONMENT: Record<WitnessName, string> = { 'dynamodb-local': 'DYNAMODB_LOCAL', dynoxide: 'DYNOXIDE' }

/** Returns a program that prints a round's outcomes on both sides, for readers without the seed and this repository. */
export function scriptOf({ tables, calls }: Round, witness: WitnessName): string {
  const steps = [
    ...tables.map(table => ({ operation: 'createTable', request: definitionOf(table) as unknown })),
    ...calls,
  ]
  const lines = steps.map(({ operation, request }) => `await ask('${operation}', ${literal(request)})`)
  return `// node reproduce.mjs, after npm run build, with the address of ${witness} in ${ENVIRONMENT[witness]}
import { memory } from 'edgewise/engine'

const ours = memory()
const bytes = (...members) => Uint8Array.of(...members)
const asWire = (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value)
const asText = (_, value) => (value instanceof Uint8Array ? [...value] : value)
const headers = {
  authorization: 'AWS4-HMAC-SHA256 Credential=any/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=any',
  'x-amz-date': '20260101T000000Z',
  'content-type': 'application/x-amz-json-1.0',
}

async function ask(operation, request) {
  const target = operation[0].toUpperCase() + operation.slice(1)
  const mine = await ours[operation](request).catch(error => \`\${error.name}: \${error.message}\`)
  const body = JSON.stringify(request, asWire)
  const given = { ...headers, 'x-amz-target': \`DynamoDB_20120810.\${target}\` }
  const theirs = await fetch(process.env.${ENVIRONMENT[witness]}, { method: 'POST', headers: given, body })
  console.log(\`\\n\${operation} \${JSON.stringify(request, asText)}\\n  edgewise: \${JSON.stringify(mine, asText)}\\n  ${witness}: \${await theirs.text()}\`)
}

${lines.join('\n')}
`
}

/** Formats a value as JavaScript. */
function literal(value: unknown): string {
  if (value instanceof Uint8Array) return `bytes(${[...value].join(', ')})`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${literal(member)}`)
  return `{ ${members.join(', ')} }`
}
