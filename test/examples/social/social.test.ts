import { memory } from 'edgewise/engine'
import { describeSocial } from './suite.js'

describeSocial(memory)
