import { type NamedTemplate, templateError } from './template-error.js'

/** A template as it is written: literals with a slot between each two. */
export interface Written {
  readonly literals: readonly string[]
  readonly names: readonly string[]
}

const TOKEN = /\{([^{}]+)\}|([{}])\2|([{}])|[^{}]+/g

/**
 * Reads `MOVIE#{name}`; a brace that is not of a slot is written twice. Token by token: literals that are cut out of a
 * text with a mark for each slot take two bytes a character where the mark does, and so does every key made with them.
 */
export function parseTemplate(template: NamedTemplate): Written {
  const { source } = template
  const fault = (wrong: string, advice: string) => templateError('key.template', template, { wrong, advice })
  if (source === '') throw fault('is empty', 'give it a text or a slot')
  // No text sorts after U+10FFFF, so the range of what begins with it would have no end.
  if (/[\p{Cs}\u{10ffff}]/u.test(source)) throw fault('has half a surrogate pair or U+10FFFF', 'remove this character')
  const literals = ['']
  const names: string[] = []
  for (const [token, name, twice, single] of source.matchAll(TOKEN)) {
    if (single !== undefined)
      throw fault(`has a single '${single}' outside a slot`, `write it twice: '${single}${single}'`)
    if (name === undefined) literals.push(`${literals.pop()}${twice ?? token}`)
    else {
      names.push(name)
      literals.push('')
    }
  }
  return { literals, names }
}
