#!/usr/bin/env node
import { program } from './program.js'

process.exitCode = await program(process.argv.slice(2))
