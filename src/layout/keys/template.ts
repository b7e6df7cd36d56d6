import { type KeyTextCodec, keyTextCodecOf, type SlotType } from './key-text-codec.js'
import { tokenizeTemplate } from './parse-template.js'
import { createTemplateError, type KeyOwner } from './template-error.js'

/** Joins the parts of a key, and sorts before everything that an escaped part can begin or go on with. */
const SEPARATOR = '#'
export const ESCAPE = '$'

export interface Slot {
  readonly name: string
  readonly type: SlotType
  readonly codec: KeyTextCodec
  /** Whether each character up to `$` has a `$` before it; `'end'`: at the end too, since others go on. */
  readonly escaped: boolean | 'end'
  /** The character that a raw value may not contain, since it ends it; '' where there is none. */
  readonly terminator: string
}

/**
 * A key as literals with a slot between each two. `encoded`: our own scheme, which can be read back and sorts part by
 * part. `raw`: keys that other programs write too; values stand in them as they are.
 */
export interface KeyTemplate {
  readonly source: string
  /** Whose key it is, for errors. */
  readonly owner?: KeyOwner | undefined
  readonly mode: 'encoded' | 'raw'
  readonly separator: string
  readonly fold: 'upper' | 'lower' | undefined
  readonly maxBytes: number
  /** What stands in place of a key that is too long: its one slot beside the tenant is a hash of it. */
  readonly hashedTemplate?: KeyTemplate
  readonly literals: readonly string[]
  readonly slots: readonly Slot[]
  /** It, cut at its separators, with `{` for every slot. */
  readonly sections: readonly string[]
}

export interface KeyTemplateOptions {
  readonly owner?: KeyOwner | undefined
  readonly maxBytes: number
  /** Values stand in the key as they are; one that contains what ends its part is refused. */
  readonly raw?: unknown
  /** Of a raw template: the case that values are brought to. */
  readonly fold?: 'upper' | 'lower' | undefined
  /** Of a raw template: what its parts are joined by, where not `#`. */
  readonly separator?: string | undefined
}

/** Reads a template. `partOf` tells what a slot holds, or undefined where there is nothing of that name. */
export function parseKeyTemplate(
  source: string,
  typeOf: (slot: string) => SlotType | undefined,
  { maxBytes, raw, fold, separator: separatorOption, owner }: KeyTemplateOptions,
): KeyTemplate {
  const separator = separatorOption || SEPARATOR
  const { literals, slotNames } = tokenizeTemplate({ source, owner })
  const slots = slotNames.map((name, index): Slot => {
    const type = typeOf(name)
    const codec = type && keyTextCodecOf(type, Boolean(raw))
    const nextLiteral = literals[index + 1]!
    if (!type)
      throw createTemplateError(
        'key.slot',
        { source, owner },
        {
          wrong: `has {${name}}, which is not declared`,
          advice: 'name an attribute, or a part of an end or of the owner',
          slot: name,
        },
      )
    if (!codec)
      throw createTemplateError(
        'key.slot',
        { source, owner },
        {
          wrong: `has {${name}}, and a ${type.kind}() cannot be in a key`,
          advice: 'use a text, number, date or boolean',
          slot: name,
        },
      )
    // An escaped part ends where the separator stands, so there must be one, but after a part at the very end.
    if (!raw && !nextLiteral.startsWith(SEPARATOR) && (nextLiteral || index < slotNames.length - 1))
      throw createTemplateError(
        'key.template',
        { source, owner },
        { wrong: `has no '${SEPARATOR}' after {${name}}`, advice: 'add it, or make the layout raw', slot: name },
      )
    return {
      name,
      type,
      codec,
      escaped: !raw && nextLiteral !== '',
      terminator: raw ? terminatorOf(codec, nextLiteral) : '',
    }
  })
  return {
    source,
    owner,
    mode: raw ? 'raw' : 'encoded',
    separator,
    fold,
    maxBytes,
    literals,
    slots,
    sections: literals.join('{').split(separator),
  }
}

/** The first character of what follows; texts that say themselves where they end need no stop. */
const terminatorOf = ({ rawSortability }: KeyTextCodec, next: string) =>
  rawSortability === 'always' ? '' : ([...next][0] ?? '')

/**
 * A template beside those of the same key attribute, from which it must be told apart. A part at the end of a key stands
 * there as it is, which reads best, unless a longer template begins alike: `A#{x}` beside `A#{x}#B#{y}`. There it is
 * escaped, or in a raw template may not contain the separator.
 */
export const withEscapedTail = (template: KeyTemplate, others: readonly (KeyTemplate | undefined)[]): KeyTemplate =>
  others.some(other => other && canContinue(template, other)) ? escapeTail(template) : template

function escapeTail(template: KeyTemplate): KeyTemplate {
  const { mode, slots, literals, separator } = template
  const last = slots.at(-1)
  if (!last || literals.at(-1)) return template
  const end = mode === 'raw' ? { terminator: terminatorOf(last.codec, separator) } : { escaped: 'end' as const }
  return { ...template, slots: slots.with(-1, { ...last, ...end }) }
}

/** Whether the second has more parts than the first, and those before the last of the first can be the same. */
const canContinue = ({ sections: head }: KeyTemplate, { sections: longer }: KeyTemplate): boolean =>
  longer.length > head.length && canBeginWith(head.slice(0, -1), longer)

/** Whether a key can begin with parts that another has. */
export const canBeginWith = (parts: readonly string[], other: readonly string[]): boolean =>
  parts.every((part, i) => part === other[i] || `${part}${other[i]}`.includes('{'))
