import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FORM, fileOf, IN_FLIGHT, type Peer } from './peer.js'

/** Sends one request after the other: it has no other way. */
export const newman: Peer = {
  name: 'newman',
  package: 'newman',
  prepare: (folder, url, grants) => {
    const file = join(folder, `grants-${grants}.postman.json`)
    const exec = [
      'const json = pm.response.json()',
      "pm.test('status', () => pm.response.to.have.status(200))",
      "pm.test('token', () => pm.expect(json.access_token).to.not.be.empty)",
      "pm.test('type', () => pm.expect(json.token_type).to.equal('bearer'))",
    ]
    const urlencoded = Object.entries(FORM).map(([key, value]) => ({ key, value }))
    const item = names(grants).map((name) => ({
      name,
      event: [{ listen: 'test', script: { exec } }],
      request: { method: 'POST', url: `${url}/Token`, body: { mode: 'urlencoded', urlencoded } },
    }))
    const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
    writeFileSync(file, JSON.stringify({ info: { name: 'grants', schema }, item }))
    return [fileOf('newman', 'bin/newman.js'), 'run', file]
  },
}

/** Reports no use of it, and writes its settings where everything else is removed. */
export const stepci: Peer = {
  name: 'stepci',
  package: 'stepci',
  env: (folder) => ({ STEPCI_DISABLE_ANALYTICS: '1', XDG_CONFIG_HOME: folder }),
  prepare: (folder, url, grants) => {
    const file = join(folder, `grants-${grants}.stepci.json`)
    const check = {
      status: 200,
      jsonpath: { '$.access_token': [{ isString: true }], '$.token_type': 'bearer' },
    }
    // Without it a charset is added.
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const tests = Object.fromEntries(
      names(grants).map((name) => [
        name,
        { steps: [{ name, http: { url: `${url}/Token`, method: 'POST', headers, form: FORM, check } }] },
      ]),
    )
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ version: '1.1', config: { concurrency: IN_FLIGHT }, tests }))
    return [fileOf('stepci', 'dist/index.js'), 'run', file]
  },
}

function names(grants: number): readonly string[] {
  return Array.from({ length: grants }, (_, at) => `grant ${at} is made`)
}
