import { paint } from '../output.js'

/** As wide as a line is, where nobody looks at it on a screen. */
const RULE_COLUMNS = 80

/** A title in a rule across the screen. */
export function heading(title: string, width: number): string {
  const columns = Math.min(width, RULE_COLUMNS)
  return paint('magenta', `── ${title} ${'─'.repeat(Math.max(0, columns - title.length - 4))}`)
}

const INDENT = 2
/** As far as the lines under a numbered one. */
const NUMBERED = 3

/** The lines of a text, indented. A long line is broken between words or before a chained call, and indented further. */
export function indented(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap(line => {
      const lead = /^\s*/.exec(line)![0].length + INDENT
      const hang = /^\d.*?\. /.test(line) ? NUMBERED : INDENT
      return broken(line.trimStart(), width - lead, hang).map((part, i) => ' '.repeat(lead + (i > 0 ? hang : 0)) + part)
    })
    .join('\n')
}

function broken(line: string, width: number, hang: number): string[] {
  const lines: string[] = []
  let rest = line
  let room = width
  while (rest.length > room) {
    const end = Math.max(rest.lastIndexOf(' ', room), lastChainedCall(rest.slice(0, room + 2)))
    if (end <= 0) break
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
    room = width - hang
  }
  return [...lines, rest]
}

/** Where the last `.call` on the result of another call begins; -1 without one. */
function lastChainedCall(code: string): number {
  return Array.from(code.matchAll(/(?<=\))\.(?=[a-z])/g)).at(-1)?.index ?? -1
}

const SHARD = /^ +one of (\d+) shards.*$/m

/** The requests of an explanation, without their sum; those to the shards of one key as one. */
export function requestLines(explained: string): string {
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
