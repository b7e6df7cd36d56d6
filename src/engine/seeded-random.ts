import { md5 } from './md5.js'

const DIGITS = 12
const CHOICES = 16 ** DIGITS

/** A number from 0 up to 1 that follows from the seed and from what it is for, and from nothing else. */
export function drawRandom(seed: number, ...labels: readonly (string | number)[]): number {
  return Number.parseInt(md5(`${seed}/${labels.join('/')}`).slice(0, DIGITS), 16) / CHOICES
}
