#!/usr/bin/env node
import { writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { toOutputFailure } from './command-failure.js'
import { runProgram } from './program.js'

const { stderr } = process
const stdout: Writable & { readonly fd: number } = process.stdout
let isUnwritten = false

// On a full disk, a file accepts a part of the text, and Node reports an error only for the next write.
if (!(stdout instanceof Socket))
  stdout._write = (bytes: Uint8Array, _encoding, done) => {
    try {
      writeFileSync(stdout.fd, bytes)
      done()
    } catch (error) {
      done(error as Error)
    }
  }

// A reader such as `head` may close the pipe early; the command still completes its work.
stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || isUnwritten) return
  isUnwritten = true
  stderr.write(`${toOutputFailure(error).message}\n`)
})

const code = await runProgram(process.argv.slice(2))
// A schema may leave a handle open that would keep the process alive. Write errors arrive one turn later.
stdout.write('', () => setImmediate(() => process.exit(isUnwritten ? code || 1 : code)))
