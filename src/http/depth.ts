/**
 * How many levels of JSON the service reads. Values of two to five thousand levels, each of which is two of JSON, were
 * seen to be too much for it; this is the lower end.
 */
const JSON_LEVELS = 4032

/** Whether a text of JSON nests deeper than the service reads. It must be well-formed. */
export function nestsBeyondReading(text: string): boolean {
  if (text.length < JSON_LEVELS) return false
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
  return deepest > JSON_LEVELS
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
