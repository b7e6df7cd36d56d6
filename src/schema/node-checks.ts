import { attributeFor, checkAttributeNames, checkExpires, checkPart, unfit } from './attribute-checks.js'
import type { DeclaredNode, DeclaredPath } from './declared.js'
import { declarationError } from './error.js'
import { isKeyable } from './keyable.js'
import { checkDistinct, checkName } from './names.js'

/** Refuses a node that could not be kept as it is declared. */
export function checkNode(node: DeclaredNode): void {
  checkName(node.name, 'a node')
  checkAttributeNames(node)
  checkId(node)
  for (const name of node.unique) checkUnique(node, name)
  for (const path of node.paths) checkPath(node, path)
  checkShadows(node)
  checkExpires(node, node.expires, node.unique.length > 0 && 'unique attributes')
}

function checkId(node: DeclaredNode): void {
  const { name: type, id } = node
  if (id.length === 0)
    throw declarationError('node.id', type, '', `${type} has no id: name the attribute that tells one from another`)
  checkDistinct(id, `the id of ${type}`)
  for (const name of id) checkPart(node, name, 'id', 'not be missing')
}

function checkUnique(node: DeclaredNode, name: string): void {
  checkPart(node, name, 'unique', 'be missing')
  if (node.id.includes(name)) throw unfit(node.name, name, 'unique', 'a part of the id', 'it is unique already')
}

function checkPath(node: DeclaredNode, path: DeclaredPath): void {
  const type = node.name
  checkName(path.name, `a path of ${type}`)
  for (const name of [...path.in, ...path.order]) {
    const { kind, element } = attributeFor(node, name, `by.${path.name}`)
    if (kind !== 'set') checkPart(node, name, `by.${path.name}`, 'be missing')
    else if (path.as !== 'item' || path.in.length > 1 || path.in[0] !== name || !isKeyable(element!))
      // It is found by each of its members, one item for each.
      throw unfit(type, name, `by.${path.name}`, 'a set', `put it alone in 'in' and say as: 'item'`)
  }
  if (path.as === 'local' && !node.within)
    throw declarationError(
      'path.way',
      type,
      path.name,
      `${type}.by.${path.name} is 'local', but ${type} lies within no other node: say 'index'`,
    )
}

function checkShadows({ name: type, attributes, within, unique, paths }: DeclaredNode): void {
  const taken = new Set([...unique, within?.name])
  const shadow = within && attributes[within.name] ? within.name : paths.find(({ name }) => taken.has(name))?.name
  if (shadow !== undefined)
    throw declarationError(
      'node.shadow',
      type,
      shadow,
      `'${shadow}' of ${type} is its owner or a unique attribute already: choose another name`,
    )
}
