import { randomFillSync } from 'node:crypto'

const ID_CHARACTERS = 52
const IDS = 128
/** A power of two, so that every character is equally likely. */
const ALPHABET = Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUV')

/** Creates request identifiers like the service's: 52 random characters. Creating them in bulk makes them cheap. */
export class RequestIds {
  private readonly pool = Buffer.alloc(IDS * ID_CHARACTERS)
  private next = this.pool.length

  take(): string {
    if (this.next === this.pool.length) this.fill()
    const start = this.next
    this.next += ID_CHARACTERS
    return this.pool.toString('latin1', start, this.next)
  }

  private fill(): void {
    randomFillSync(this.pool)
    for (let index = 0; index < this.pool.length; index++) this.pool[index] = ALPHABET[this.pool[index]! & 31]!
    this.next = 0
  }
}
