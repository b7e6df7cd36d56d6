export { type FaultKind, type FaultyOptions, type FaultyStore, faulty, type InjectedFault } from './store/faulty.js'
export { Crashed } from './store/faulty-errors.js'
