import { templateError } from './template-error.js'

/** A template as it is written: literals with a slot between each two. */
export interface Written {
  readonly literals: readonly string[]
  readonly names: readonly string[]
}

const BRACES = /\{\{|\}\}|\{([^{}]+)\}|[{}]/g
/** Stands for a slot, since no template has it: nothing is after it, where the range of what begins with it would end. */
const LAST = '\u{10ffff}'

/** Reads `MOVIE#{name}`; a brace that is not of a slot is written twice. */
export function parseTemplate(source: string): Written {
  const names: string[] = []
  let fault = source === '' || source.includes(LAST) || !source.isWellFormed()
  const marked = source.replace(BRACES, (token, name?: string) => {
    if (name === undefined) {
      fault ||= token.length === 1
      return token[0]!
    }
    names.push(name)
    return LAST
  })
  if (!fault) return { literals: marked.split(LAST), names }
  throw templateError(
    'key.template',
    { source },
    'is empty, or has a single brace (write it twice), half a surrogate pair or U+10FFFF.',
  )
}
