import { createHash, hash } from 'node:crypto'

/**
 * Returns the MD5 hash of bytes or of a UTF-8 text. Node's OpenSSL does not support MD5 in FIPS mode, so a fallback is
 * implemented here.
 */
export const md5: (data: string | Buffer, encoding?: 'hex' | 'binary') => string = isMd5Supported()
  ? (data, encoding = 'hex') => hash('md5', data, encoding)
  : computeMd5

function isMd5Supported(): boolean {
  try {
    return hash('md5', '') !== ''
  } catch {
    return false
  }
}

const BLOCK_BYTES = 64
const LENGTH_BYTES = 8
/** The rotations of the four steps in each round. */
const ROTATIONS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
]
/** The word of the block for each step of a round: step × first + second. */
const WORD_STEPS = [
  [1, 0],
  [5, 1],
  [3, 5],
  [7, 0],
]
const SINES = Array.from({ length: BLOCK_BYTES }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32))

function computeMd5(data: string | Buffer, encoding: 'hex' | 'binary' = 'hex'): string {
  const bytes = Buffer.from(data as string)
  const padded = Buffer.alloc(Math.ceil((bytes.length + 1 + LENGTH_BYTES) / BLOCK_BYTES) * BLOCK_BYTES)
  bytes.copy(padded)
  padded[bytes.length] = 0x80
  padded.writeBigUInt64LE(BigInt(bytes.length) * 8n, padded.length - LENGTH_BYTES)
  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476)
  for (let at = 0; at < padded.length; at += BLOCK_BYTES) mixBlock(state, padded, at)
  const digest = Buffer.alloc(16)
  for (const [i, word] of state.entries()) digest.writeInt32LE(word, 4 * i)
  return digest.toString(encoding)
}

function mixBlock(state: Int32Array, bytes: Buffer, at: number): void {
  let [a, b, c, d] = state as unknown as [number, number, number, number]
  for (let step = 0; step < BLOCK_BYTES; step++) {
    const round = step >> 4
    const [times, more] = WORD_STEPS[round] as [number, number]
    const mixed = [(b & c) | (~b & d), (d & b) | (~d & c), b ^ c ^ d, c ^ (b | ~d)][round]!
    const sum = (a + mixed + SINES[step]! + bytes.readInt32LE(at + 4 * ((times * step + more) & 15))) | 0
    const turn = ROTATIONS[round]![step & 3]!
    a = d
    d = c
    c = b
    b = (b + ((sum << turn) | (sum >>> (32 - turn)))) | 0
  }
  state[0]! += a
  state[1]! += b
  state[2]! += c
  state[3]! += d
}

/** The MD5 of bytes that come in parts. */
export interface Md5 {
  update(bytes: Uint8Array): void
  digest(): Buffer
}

export const newMd5: () => Md5 = isMd5Supported() ? nodeMd5 : () => new Md5OfParts()

function nodeMd5(): Md5 {
  const md5 = createHash('md5')
  return {
    update: bytes => void md5.update(bytes),
    digest: () => md5.digest(),
  }
}

/** The same where Node's OpenSSL refuses MD5. */
class Md5OfParts implements Md5 {
  private readonly state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476)
  private readonly block = Buffer.alloc(BLOCK_BYTES)
  private blockBytes = 0
  private lengthBytes = 0

  update(bytes: Uint8Array): void {
    this.lengthBytes += bytes.length
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + BLOCK_BYTES - this.blockBytes)
      this.block.set(part, this.blockBytes)
      this.blockBytes += part.length
      at += part.length
      if (this.blockBytes < BLOCK_BYTES) return
      mixBlock(this.state, this.block, 0)
      this.blockBytes = 0
    }
  }

  digest(): Buffer {
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeBigUInt64LE(BigInt(this.lengthBytes) * 8n)
    const used = this.blockBytes + 1 + LENGTH_BYTES
    this.update(Buffer.of(0x80))
    this.update(Buffer.alloc(Math.ceil(used / BLOCK_BYTES) * BLOCK_BYTES - used))
    this.update(length)
    const digest = Buffer.alloc(16)
    for (const [i, word] of this.state.entries()) digest.writeInt32LE(word, 4 * i)
    return digest
  }
}
