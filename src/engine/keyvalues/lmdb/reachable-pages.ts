import { readSync } from 'node:fs'
import type { Meta } from './meta-pages.js'

const HEADER_BYTES = 24
const FLAGS_AT = 18
const LOWER_AT = 20
const BRANCH = 0x01
const LEAF = 0x02
const NODE_HEADER_BYTES = 8
const OVERFLOW_VALUE = 0x01

/**
 * Returns whether every page that LMDB can reach is within the file. A file may be shorter than its last page number,
 * because trailing pages that are free were never written. The trees of a shorter file are therefore walked page by
 * page, without mapping the file.
 */
export function hasAllReachablePages(descriptor: number, meta: Meta, pages: number): boolean {
  const pending = meta.roots.filter(root => root !== undefined)
  const seen = new Set<number>()
  const page = Buffer.alloc(meta.pageBytes)
  for (let number = pending.pop(); number !== undefined; number = pending.pop()) {
    if (number >= pages || seen.has(number)) return false
    seen.add(number)
    if (readSync(descriptor, page, 0, page.length, number * page.length) < page.length) return false
    const next = parsePage(page)
    if (!next) return false
    for (const { first, last } of next.runs) if (last < first || last >= pages) return false
    pending.push(...next.children)
  }
  return true
}

interface PageRun {
  readonly first: number
  readonly last: number
}

/**
 * Returns the child pages of a tree page, and the runs of pages that hold long values; undefined if it is not a tree
 * page.
 */
function parsePage(page: Buffer): { readonly children: number[]; readonly runs: PageRun[] } | undefined {
  const flags = page.readUInt16LE(FLAGS_AT)
  const count = page.readUInt16LE(LOWER_AT) / 2
  if ((flags & (BRANCH | LEAF)) === 0 || HEADER_BYTES + count * 2 > page.length) return undefined
  const children: number[] = []
  const runs: PageRun[] = []
  for (let i = 0; i < count; i++) {
    const node = HEADER_BYTES + page.readUInt16LE(HEADER_BYTES + i * 2)
    if (node + NODE_HEADER_BYTES > page.length) return undefined
    if (flags & BRANCH) children.push(page.readUIntLE(node, 6))
    else if (page.readUInt16LE(node + 4) & OVERFLOW_VALUE) {
      const data = node + NODE_HEADER_BYTES + page.readUInt16LE(node + 6)
      if (data + 24 > page.length) return undefined
      const first = Number(page.readBigUInt64LE(data))
      runs.push({ first, last: first + Number(page.readBigUInt64LE(data + 16)) - 1 })
    }
  }
  return { children, runs }
}
