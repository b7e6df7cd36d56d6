export { once } from '../layout/once.js'
