import type { VectorDistanceFunction } from '../../dynamodb/operation-types.js'

/** The measure of similarity: the nearest vectors have the smallest distance or the greatest product. */
export interface Scoring {
  score(vector: Float32Array): number
  readonly isGreatestFirst: boolean
}

/** Scores are computed with 64 bits from 32-bit vectors. */
export function scoringOf(distance: VectorDistanceFunction, searched: Float32Array): Scoring {
  switch (distance) {
    case 'DOT_PRODUCT':
      return { score: vector => dotProduct(searched, vector), isGreatestFirst: true }
    case 'EUCLIDEAN':
      return { score: vector => euclideanDistance(searched, vector), isGreatestFirst: false }
    case 'COSINE': {
      const square = dotProduct(searched, searched)
      return { score: vector => cosineDistance(searched, square, vector), isGreatestFirst: false }
    }
  }
}

function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

function euclideanDistance(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) {
    const difference = a[i]! - b[i]!
    sum += difference * difference
  }
  return Math.sqrt(sum)
}

const FARTHEST = 2

/** Returns 0 for the same direction to 2 for the opposite. A zero vector has distance 1 to all vectors. */
function cosineDistance(a: Float32Array, squareOfA: number, b: Float32Array): number {
  const squares = squareOfA * dotProduct(b, b)
  if (squares === 0) return 1
  // One root of the product of both squares is exact when the vectors are equal.
  return Math.min(Math.max(1 - dotProduct(a, b) / Math.sqrt(squares), 0), FARTHEST)
}

const GREATEST_FLOAT = 3.4028234663852886e38

/** Returns a score as in the response: with 32 bits, clamped to the range. */
export function toOutputScore(score: number): number {
  return Math.fround(Math.min(Math.max(score, -GREATEST_FLOAT), GREATEST_FLOAT))
}
