import { md5 } from './md5.js'

const DIGITS = 12
const CHOICES = 16 ** DIGITS

/** Returns a number from 0 (inclusive) to 1 (exclusive) that depends only on the seed and the labels. */
export function drawRandom(seed: number, ...labels: readonly (string | number)[]): number {
  return Number.parseInt(md5(`${seed}/${labels.join('/')}`).slice(0, DIGITS), 16) / CHOICES
}
