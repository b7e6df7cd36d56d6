import { describe } from 'vitest'
import { crashes } from './suite.js'

describe('a store on disk whose process is killed', () => {
  crashes(Number(process.env.CRASHES ?? 100))
})
