import { type KeyTextCodec, keyTextCodecOf, type SlotType } from './key-text-codec.js'
import { tokenizeTemplate } from './parse-template.js'
import { createTemplateError, type KeyOwner } from './template-error.js'

/** The separator between the parts of a key. It sorts before every character of an escaped part. */
const SEPARATOR = '#'
export const ESCAPE = '$'

export interface Slot {
  readonly name: string
  readonly type: SlotType
  readonly codec: KeyTextCodec
  /**
   * Whether characters up to `$` are escaped by a `$`; `'end'` also at the end of the key, because other templates
   * continue there.
   */
  readonly escaped: boolean | 'end'
  /** The character that ends a raw value, which the value must not contain; '' if there is none. */
  readonly terminator: string
}

/**
 * A key template: literals with a slot between each two. An `encoded` key can be decoded and sorts part by part. A
 * `raw` key contains plain values, as other programs write them.
 */
export interface KeyTemplate {
  readonly source: string
  /** The owner of the key, for errors. */
  readonly owner?: KeyOwner | undefined
  readonly mode: 'encoded' | 'raw'
  readonly separator: string
  readonly fold: 'upper' | 'lower' | undefined
  readonly maxBytes: number
  /** The template that replaces a key that is too long. Apart from the tenant, its one slot is a hash of the key. */
  readonly hashedTemplate?: KeyTemplate
  readonly literals: readonly string[]
  readonly slots: readonly Slot[]
  /** The template split at its separators, with `{` for every slot. */
  readonly sections: readonly string[]
}

export interface KeyTemplateOptions {
  readonly owner?: KeyOwner | undefined
  readonly maxBytes: number
  /** Whether values are written without escaping. A value that contains its terminator is rejected. */
  readonly raw?: unknown
  /** The case that a raw template folds values to. */
  readonly fold?: 'upper' | 'lower' | undefined
  /** The separator of a raw template; `#` by default. */
  readonly separator?: string | undefined
}

/** Parses a template. `typeOf` returns the type of a slot, or undefined for an unknown slot. */
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
    // An escaped part ends at the separator, so every part but the last needs one after it.
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

/** The first character after a slot. Texts of a fixed width need no terminator. */
const terminatorOf = ({ rawSortability }: KeyTextCodec, next: string) =>
  rawSortability === 'always' ? '' : ([...next][0] ?? '')

/**
 * Returns the template with an escaped last part if another template of the same key attribute continues where it ends:
 * `A#{x}` and `A#{x}#B#{y}`. A raw template then forbids the separator in the last part. Otherwise the last part is not
 * escaped, which is easier to read.
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

/** Whether the second template has more parts than the first, and all but the last part of the first can be equal. */
const canContinue = ({ sections: head }: KeyTemplate, { sections: longer }: KeyTemplate): boolean =>
  longer.length > head.length && canBeginWith(head.slice(0, -1), longer)

/** Whether keys of one template can begin with the same parts as keys of another. */
export const canBeginWith = (parts: readonly string[], other: readonly string[]): boolean =>
  parts.every((part, i) => part === other[i] || `${part}${other[i]}`.includes('{'))
