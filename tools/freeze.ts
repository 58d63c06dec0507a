/**
 * `npm run freeze -- 1.0`: writes `spec/requirements/1.0.yaml`, the rules and cases that `run --requirements 1.0` gates on. To
 * be called once, at the release; what is there is never written again.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadShipped } from '../spec/load/advice.js'
import { loadSpecification } from '../spec/load/specification.js'
import { freezeRequirements } from './freeze-requirements.js'

const [version = ''] = process.argv.slice(2)
const folder = fileURLToPath(new URL('../spec/requirements/', import.meta.url))
const file = `${folder}${version}.yaml`
if (!/^\d+\.\d+$/.test(version)) {
  console.error('freeze takes a release, such as 1.0')
  process.exitCode = 2
} else if (existsSync(file)) {
  console.error(`${file} is there: a set of requirements stays as it was released`)
  process.exitCode = 1
} else {
  mkdirSync(folder, { recursive: true })
  const { profiles } = loadShipped()
  writeFileSync(file, freezeRequirements(version, [loadSpecification(), ...Object.values(profiles)]))
}
