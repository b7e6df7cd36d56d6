// Copies the compiled examples of the tour to `dist/examples`. The tour runs them and shows their code, so the compiler
// makes them: a bundler would change quotes and layout.
import { cpSync } from 'node:fs'

const TOUR = ['courses', 'follows', 'invoices', 'movies', 'people', 'school', 'shops', 'print.js']
const root = new URL('../', import.meta.url)

for (const name of TOUR)
  cpSync(new URL(`build/examples/${name}`, root), new URL(`dist/examples/${name}`, root), { recursive: true })
