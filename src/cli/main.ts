#!/usr/bin/env node
import { writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { runProgram } from './program.js'

const { stderr } = process
const stdout: Writable & { readonly fd: number } = process.stdout
let isUnwritten = false

// A file takes a part of a text where its disk becomes full, and Node tells only of what is written after that.
if (!(stdout instanceof Socket))
  stdout._write = (bytes: Uint8Array, _encoding, done) => {
    try {
      writeFileSync(stdout.fd, bytes)
      done()
    } catch (error) {
      done(error as Error)
    }
  }

// Whoever reads may have seen enough, as `head` has: what is under way is done to its end all the same.
stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || isUnwritten) return
  isUnwritten = true
  stderr.write(`the output cannot be written: ${error.message}\n`)
})

const code = await runProgram(process.argv.slice(2))
// A schema may have left something open that would keep the process alive. What could not be written is told a turn later.
stdout.write('', () => setImmediate(() => process.exit(isUnwritten ? code || 1 : code)))
