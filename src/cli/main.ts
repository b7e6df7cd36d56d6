#!/usr/bin/env node
import { program } from './program.js'

// Whoever reads may have seen enough, as `head` has: what is under way is done to its end all the same.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

const code = await program(process.argv.slice(2))
// A schema may have left something open that would keep the process alive.
process.stdout.write('', () => process.exit(code))
