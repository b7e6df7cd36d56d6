import { writeGeneratedFiles } from './generate.js'

for (const path of writeGeneratedFiles()) console.log(`wrote ${path}`)
