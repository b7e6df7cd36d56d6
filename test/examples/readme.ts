import type { Asked } from '../../examples/print.js'

/** The parts of an example's page: its declaration, output and patterns. */
interface Shown {
  readonly declaration: string
  readonly printed: string
  readonly asked: readonly Asked[]
}

const CODE = /^```ts\n.*?^```$/ms
const TABLES = /^```text\n.*?^```$/ms
const PATTERNS = /^\| what is asked \|.*\n(?:\|.*\n)*/m
const PRINTED_TABLES = /^The table .*?(?=\n+## 1\.)/ms
const ROWS_MAX = 14

/** Returns the page with its three current parts. */
export function writtenReadme(text: string, { declaration, printed, asked }: Shown): string {
  const tables = PRINTED_TABLES.exec(printed)![0].split('\n\n').map(shortened).join('\n\n')
  const rows = asked.map(({ what, code, sent, consumed: { total } }) => {
    return `| ${what} | \`${code}\` | ${requestsOf(sent)} | ${total} |\n`
  })
  return text
    .replace(CODE, () => `\`\`\`ts\n${declaration}\n\`\`\``)
    .replace(TABLES, () => `\`\`\`text\n${tables}\n\`\`\``)
    .replace(PATTERNS, () => `| what is asked | the call | requests | read units |\n|-|-|-|-|\n${rows.join('')}`)
}

/** Shortens a long table to its first rows. */
function shortened(table: string): string {
  const lines = table.split('\n')
  if (lines.length <= ROWS_MAX + 2) return table
  return [...lines.slice(0, ROWS_MAX + 2), `… and ${lines.length - ROWS_MAX - 2} more`].join('\n')
}

function requestsOf(sent: Asked['sent']): string {
  const counts = new Map<string, number>()
  for (const { operation, input } of sent) {
    const name = `${operation[0]!.toUpperCase()}${operation.slice(1)}${input.IndexName ? ` on ${input.IndexName}` : ''}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return Array.from(counts, ([name, count]) => (count === 1 ? name : `${count} × ${name}`)).join(', ')
}
