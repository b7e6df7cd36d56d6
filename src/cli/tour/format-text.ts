import { paint } from '../terminal/output.js'

/** As wide as a line is, where nobody looks at it on a screen. */
const RULE_COLUMNS = 80

/** A title in a rule across the screen. */
export function formatHeading(title: string, width: number): string {
  const columns = Math.min(width, RULE_COLUMNS)
  return paint('magenta', `── ${title} ${'─'.repeat(Math.max(0, columns - title.length - 4))}`)
}

const INDENT = 2
/** As far as the lines under a numbered one. */
const NUMBERED = 3

/** The lines of a text, indented. A long line is broken between words or before a chained call, and indented further. */
export function indentText(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap(line => {
      const indent = /^\s*/.exec(line)![0].length + INDENT
      const hangingIndent = /^\d.*?\. /.test(line) ? NUMBERED : INDENT
      return breakLine(line.trimStart(), width - indent, hangingIndent).map(
        (part, i) => ' '.repeat(indent + (i > 0 ? hangingIndent : 0)) + part,
      )
    })
    .join('\n')
}

function breakLine(line: string, width: number, hangingIndent: number): string[] {
  const lines: string[] = []
  let rest = line
  let availableColumns = width
  while (rest.length > availableColumns) {
    const end = Math.max(
      rest.lastIndexOf(' ', availableColumns),
      findLastChainedCall(rest.slice(0, availableColumns + 2)),
    )
    if (end <= 0) break
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
    availableColumns = width - hangingIndent
  }
  return [...lines, rest]
}

/** Where the last `.call` on the result of another call begins; -1 without one. */
function findLastChainedCall(code: string): number {
  return Array.from(code.matchAll(/(?<=\))\.(?=[a-z])/g)).at(-1)?.index ?? -1
}

const SHARD = /^ +one of (\d+) shards.*$/m

/** The requests of an explanation, without their sum; those to the shards of one key as one. */
export function formatRequests(explained: string): string {
  const steps = explained.split(/\n(?=\d+\. |Total: )/).filter(step => !step.startsWith('Total: '))
  const lines: string[] = []
  for (let at = 0; at < steps.length; ) {
    const step = steps[at]!
    const shards = Number(SHARD.exec(step)?.[1] ?? 1)
    const last = at + shards
    lines.push(
      shards === 1
        ? step
        : step
            .replace(/^\d+/, `${at + 1} to ${last}`)
            .replace(SHARD, `   and the same for the other ${shards - 1} shards, merged in order`),
    )
    at = last
  }
  return lines.join('\n')
}
