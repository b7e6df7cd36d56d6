import { compareUtf8 } from '../layout/keys/compare-utf8.js'
import { keyTextCodecOf, toSortText } from '../layout/keys/key-text-codec.js'
import type { Layout } from '../layout/layout.js'
import { rowValueAt } from '../layout/row-members.js'
import { accessByName } from '../plan/identity.js'
import { elementAttributeOf, membersOf } from '../plan/members.js'
import type { PlainRow } from '../plan/row.js'
import { storedValueOf } from './stored-value.js'
import type { Hop } from './traversal.js'

/** Compares rows of the lists of a hop as the hop's path orders them. It merges the lists of several nodes. */
export function compareByPath(layout: Layout, { type, path, read }: Hop): (a: PlainRow, b: PlainRow) => number {
  const { type: declared, sortSlots } = accessByName(layout, type, path)
  const members = sortSlots.flatMap(slot => membersOf(declared).filter(member => member.slot === slot))
  const textsByRow = new Map<PlainRow, readonly string[]>()
  const textsOf = (row: PlainRow): readonly string[] => {
    let texts = textsByRow.get(row)
    if (!texts) {
      texts = members.map(member => {
        const value = rowValueAt(row, member.segments)
        if (value === undefined) return ''
        const attribute = elementAttributeOf(member)
        const stored = storedValueOf(attribute, value, member.path)
        return keyTextCodecOf(attribute, false)?.write(stored) ?? toSortText(stored)
      })
      textsByRow.set(row, texts)
    }
    return texts
  }
  const sign = read.reverse ? -1 : 1
  return (a, b) => {
    const [textsA, textsB] = [textsOf(a), textsOf(b)]
    for (const [i, text] of textsA.entries()) {
      const order = compareUtf8(text, textsB[i]!)
      if (order !== 0) return sign * order
    }
    return 0
  }
}
