/** `npm run types`: writes `tests/public-types.txt`, the public types as they are promised; a test compares. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { listPublicTypes, PUBLIC } from './list-public-types.js'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.')
writeFileSync('tests/public-types.txt', listPublicTypes(ts.createProgram(Object.values(PUBLIC), options)))
