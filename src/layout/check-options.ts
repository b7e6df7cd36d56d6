import { checkOptions, formatValue, isObject, rejectDeclarationIf } from '../schema/checks/assertions.js'
import type { LayoutOptions } from './options.js'

const CAPACITY_OPTIONS = 'read, write'

/**
 * Rejects unknown options and options of the wrong form, on every level. It serves callers without a compiler: a
 * misspelled option would otherwise have no effect, and the table would be created without it.
 */
export function checkLayoutOptions(options: LayoutOptions): void {
  checkOptions('layout', options, 'keys, indexes, table, type, marks, names, raw, capacity')
  const { keys, indexes, table, type, marks, names, raw, capacity } = options
  if (table !== undefined) checkTable(table)
  for (const [name, index] of membersOf('indexes', indexes)) checkIndex(`layout.indexes.${name}`, index)
  if (type !== undefined && typeof type !== 'string') {
    checkOptions('layout.type', type, 'attribute, values')
    checkText('layout.type', 'attribute', type.attribute)
    checkTexts('type.values', type.values)
  }
  for (const [name, kindMarks] of membersOf('marks', marks)) checkTexts(`marks.${name}`, kindMarks)
  for (const [name, storedNames] of membersOf('names', names)) checkTexts(`names.${name}`, storedNames)
  if (raw !== undefined && typeof raw !== 'boolean') checkRaw(raw)
  if (capacity !== undefined && capacity !== 'on-demand')
    checkOptions('layout.capacity', capacity as object, CAPACITY_OPTIONS)
  for (const [name, typeKeys] of membersOf('keys', keys)) checkKeys(`keys.${name}`, typeKeys)
}

function checkTable(table: NonNullable<LayoutOptions['table']>): void {
  checkOptions('layout.table', table, 'keys, expires')
  checkKeyNames('layout.table', table.keys)
  if (table.expires !== undefined) checkText('layout.table', 'expires', table.expires)
}

function checkIndex(path: string, index: NonNullable<LayoutOptions['indexes']>[string]): void {
  checkOptions(path, index, 'keys, kind, project, capacity')
  const { keys, kind, project, capacity } = index
  checkKeyNames(path, keys)
  checkChoice(path, 'kind', kind, ['global', 'local'])
  if (!isTextList(project)) checkChoice(path, 'project', project, ['all', 'keys'], ' or a list of attributes')
  if (capacity !== undefined) checkOptions(`${path}.capacity`, capacity, CAPACITY_OPTIONS)
}

function checkRaw(raw: Exclude<LayoutOptions['raw'], boolean | undefined>): void {
  checkOptions('layout.raw', raw, 'separator, fold')
  if (raw.separator !== undefined) checkText('layout.raw', 'separator', raw.separator)
  checkChoice('layout.raw', 'fold', raw.fold, ['upper', 'lower'])
}

/** A template is a text. The templates of another kind of item are in an object under its name. */
function checkKeys(path: string, typeKeys: object): void {
  for (const [name, template] of membersOf(path, typeKeys))
    if (isObject(template)) checkTexts(`${path}.${name}`, template)
    else checkText(`layout.${path}`, name, template)
}

function checkTexts(path: string, texts: object | undefined): void {
  for (const [name, text] of membersOf(path, texts)) checkText(`layout.${path}`, name, text)
}

/** Returns the defined members of an option that is an object. */
function membersOf<Member>(
  path: string,
  option: { readonly [name: string]: Member } | object | undefined,
): [name: string, member: Member][] {
  if (option === undefined) return []
  rejectDeclarationIf(
    'layout',
    !isObject(option),
    'call.argument',
    path,
    `'${path}' is ${formatValue(option)}; give an object.`,
  )
  return Object.entries(option as { readonly [name: string]: Member }).filter(([, member]) => member !== undefined)
}

function checkText(path: string, name: string, value: unknown): void {
  rejectDeclarationIf(
    path,
    typeof value !== 'string',
    'call.argument',
    name,
    `'${name}' is ${formatValue(value)}; give a string.`,
  )
}

function checkChoice(path: string, name: string, value: unknown, choices: readonly string[], otherForm = ''): void {
  rejectDeclarationIf(
    path,
    value !== undefined && !choices.includes(value as string),
    'call.argument',
    name,
    `'${name}' is ${formatValue(value)}; give '${choices.join("' or '")}'${otherForm}.`,
  )
}

/** Rejects a key that is not a list of one or two names. A list without names has its own error. */
function checkKeyNames(path: string, keys: unknown): void {
  rejectDeclarationIf(
    path,
    keys !== undefined && !(isTextList(keys) && keys.length <= 2),
    'call.argument',
    'keys',
    `'keys' is ${formatValue(keys)}; give a list of one or two attribute names.`,
  )
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(each => typeof each === 'string')
}
