import { paint } from '../terminal/output.js'

/** The width of a line outside a terminal. */
const RULE_COLUMNS = 80

/** A title in a rule across the screen. */
export function formatHeading(title: string, width: number): string {
  const columns = Math.min(width, RULE_COLUMNS)
  return paint('magenta', `── ${title} ${'─'.repeat(Math.max(0, columns - title.length - 4))}`)
}

const INDENT = 2
/** The indentation of lines under a numbered line. */
const NUMBERED = 3

/** Indents the lines of a text. Long lines break between words or before a chained call, with further indentation. */
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

/** Finds the last `.call` on the result of another call; -1 if there is none. */
function findLastChainedCall(code: string): number {
  return Array.from(code.matchAll(/(?<=\))\.(?=[a-z])/g)).at(-1)?.index ?? -1
}

const SHARD = /^ +one of (\d+) shards.*$/m

/** Formats the requests of an explanation without the total; requests to the shards of one key become one line. */
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
