import { describe } from 'vitest'
import { crashes } from './suite.js'

describe('crashes of a process with a store on disk', () => {
  crashes(10)
})
