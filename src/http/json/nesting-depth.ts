/**
 * The number of JSON levels that the service reads. It was seen to fail at values of two to five thousand levels, and
 * each of these takes two levels of JSON; this is the lower end.
 */
const JSON_LEVELS_MAX = 4032

/** Exceeds the depth of every request that the service defines, and is deep enough to exhaust a stack. */
const DEEP_LEVELS = 1000

/** Returns whether a JSON text nests deeper than the service reads. The text must be well-formed. */
export const isNestedTooDeep = (text: string) => isDeeperThan(text, JSON_LEVELS_MAX)

/** Returns whether an error is a stack overflow on a deeply nested text. */
export const isStackOverflow = (error: unknown, text: string) =>
  error instanceof RangeError && isDeeperThan(text, DEEP_LEVELS)

function isDeeperThan(text: string, levels: number): boolean {
  if (text.length < levels) return false
  let level = 0
  let deepest = 0
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = endOfString(text, index)
        break
      case BRACKET:
      case BRACE:
        level++
        if (level > deepest) deepest = level
        break
      case BRACKET_END:
      case BRACE_END:
        level--
    }
  }
  return deepest > levels
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const BRACKET = 0x5b
const BRACKET_END = 0x5d
const BRACE = 0x7b
const BRACE_END = 0x7d

function endOfString(text: string, start: number): number {
  let index = start + 1
  while (index < text.length && text.charCodeAt(index) !== QUOTE) index += text.charCodeAt(index) === BACKSLASH ? 2 : 1
  return index
}
