import { fstatSync, readFileSync, readSync } from 'node:fs'

/**
 * One of LMDB's meta pages. The file begins with two of them, for the last two commits, which say where all other data
 * is. In the middle of the first is a third, for the last flushed commit. They are checked before LMDB maps the file
 * into memory, because access to a missing page would end the process.
 */
export interface Meta {
  readonly pageBytes: number
  readonly lastPage: number
  /** The root pages of the trees of free pages and of data; undefined for an empty tree. */
  readonly roots: readonly (number | undefined)[]
  readonly commit: number
  /** Whether the commit was flushed. Also true if it was written without a request to flush. */
  readonly isFlushed: boolean
  /** The boot ID of the machine when the page was written; 0 if unknown. */
  readonly bootId: bigint
}

/** The state to continue from, and whether LMDB must roll back to it. */
export interface CurrentMeta extends Meta {
  readonly mustRollBack: boolean
}

const META_BYTES = 168
const META_PAGE = 0x08
/** LMDB's magic number, followed by the version of its format. */
const MARK = 0x2_beef_c0den
const NO_MARK = 0n
const PAGE_BYTES_MIN = 512
const PAGE_BYTES_MAX = 65_536
const UNFLUSHED = 0x1000
/** The flag of a tree with numeric keys, such as the tree of free pages. */
const NUMBERED = 0x08
const NO_PAGE = 2n ** 64n - 1n
/** A tree of this depth would have more pages than a file can. */
const DEPTH_MAX = 32
/** The address space that a processor can map. */
const MAP_BYTES_MAX = 2 ** 47

/**
 * Reads the meta page to continue from, or returns undefined if none is valid. A commit that may not have been flushed
 * before the machine restarted is not used.
 */
export function readCurrentMeta(descriptor: number): CurrentMeta | undefined {
  const first = readMetaAt(descriptor, 0)
  const second = first && readMetaAt(descriptor, first.pageBytes)
  if (!second || second.pageBytes !== first.pageBytes) return undefined
  const [latest, older] = first.commit >= second.commit ? [first, second] : [second, first]
  const between = readBytesAt(descriptor, first.pageBytes / 2)
  const flushed = between && parseMeta(between, NO_MARK)
  if (flushed ? flushed.commit > latest.commit : between?.some(byte => byte !== 0)) return undefined
  if (!hasAllRoots(latest) || (flushed && !hasAllRoots(flushed)) || !isConsistentFallback(descriptor, older))
    return undefined
  if (latest.isFlushed || isOfThisBoot(latest))
    return latest.commit - older.commit <= 1 ? { ...latest, mustRollBack: false } : undefined
  // Before the first flush no write was acknowledged.
  const safe = flushed ?? older
  return hasAllRoots(safe) ? { ...safe, mustRollBack: safe.commit !== latest.commit } : undefined
}

function hasAllRoots({ roots, lastPage }: Pick<Meta, 'roots' | 'lastPage'>): boolean {
  return roots.every(root => root === undefined || root <= lastPage)
}

/**
 * If LMDB cannot write a commit, it writes the previous trees again under the number and last page of the failed
 * commit, and continues from the other meta page.
 */
function isConsistentFallback(descriptor: number, { roots, lastPage, pageBytes }: Meta): boolean {
  const lastOfFile = Math.floor(fstatSync(descriptor).size / pageBytes) - 1
  return hasAllRoots({ roots, lastPage: Math.max(lastPage, lastOfFile) })
}

function readBytesAt(descriptor: number, offset: number): Buffer | undefined {
  const bytes = Buffer.alloc(META_BYTES)
  return readSync(descriptor, bytes, 0, META_BYTES, offset) === META_BYTES ? bytes : undefined
}

function readMetaAt(descriptor: number, offset: number): Meta | undefined {
  const bytes = readBytesAt(descriptor, offset)
  return bytes?.readUInt16LE(18) === META_PAGE ? parseMeta(bytes, MARK) : undefined
}

function parseMeta(bytes: Buffer, mark: bigint): Meta | undefined {
  const number = (at: number) => Number(bytes.readBigUInt64LE(at))
  const meta = {
    pageBytes: bytes.readUInt32LE(48),
    lastPage: number(144),
    roots: [88, 136].map(at => (bytes.readBigUInt64LE(at) === NO_PAGE ? undefined : number(at))),
    commit: number(152),
    isFlushed: (bytes.readUInt16LE(52) & UNFLUSHED) === 0,
    bootId: bytes.readBigInt64LE(160),
  }
  const isMeta =
    bytes.readBigUInt64LE(24) === mark &&
    (bytes.readUInt16LE(52) & ~UNFLUSHED) === NUMBERED &&
    bytes.readUInt16LE(54) <= DEPTH_MAX &&
    bytes.readUInt16LE(100) === 0 &&
    bytes.readUInt16LE(102) <= DEPTH_MAX &&
    (meta.lastPage + 1) * meta.pageBytes <= Math.min(number(40), MAP_BYTES_MAX)
  return isMeta && isSound(meta) ? meta : undefined
}

function isSound({ pageBytes, commit }: Meta): boolean {
  const isPageSize = pageBytes >= PAGE_BYTES_MIN && pageBytes <= PAGE_BYTES_MAX && (pageBytes & (pageBytes - 1)) === 0
  return isPageSize && Number.isSafeInteger(commit)
}

function isOfThisBoot({ bootId }: Meta): boolean {
  try {
    const [id] = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').split('-')
    return bootId !== 0n && bootId === BigInt(`0x${id}`)
  } catch {
    return false
  }
}
