import type { TextFile } from './files.js'
import { parse, walk } from './syntax.js'

const EXPLANATION_WORDS_MIN = 3
const ANY_EXPLAINED = /biome-ignore lint\/suspicious\/noExplicitAny: \S/

/** Ways out of the compiler and the linter that are never right here, or that do not say why. */
export function unexplainedEscapes(file: TextFile): string[] {
  const found: string[] = []
  const { program, comments, lineOf } = parse(file)
  const explainedLines = new Set<number>()
  for (const comment of comments) {
    const line = lineOf(comment.start)
    if (ANY_EXPLAINED.test(comment.value)) explainedLines.add(line + 1)
    const wayOut = commentEscape(comment.value)
    if (wayOut) found.push(`${file.path}:${line} has ${wayOut}`)
  }
  walk(program, node => {
    if (node.type !== 'TSAnyKeyword' || explainedLines.has(lineOf(node.start))) return
    found.push(`${file.path}:${lineOf(node.start)} has any`)
  })
  return found
}

function commentEscape(comment: string): string | undefined {
  const banned = /@ts-(?:ignore|nocheck)/.exec(comment)
  if (banned) return banned[0]
  const expected = /@ts-expect-error(.*)/.exec(comment)
  if (expected && !explains(expected[1]!)) return '@ts-expect-error without an explanation'
  const ignored = /biome-ignore[^:]*(.*)/.exec(comment)
  return ignored && !explains(ignored[1]!) ? 'biome-ignore without an explanation' : undefined
}

function explains(text: string): boolean {
  return (text.match(/[\p{L}\d]+/gu) ?? []).length >= EXPLANATION_WORDS_MIN
}
