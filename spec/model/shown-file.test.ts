import { generateKeyPairSync } from 'node:crypto'
import t from 'tap'
import { readTextFile } from '../load/read-text-file.js'
import { shownFile } from './shown-file.js'

t.test('a key in the place of a path is not repeated', async (t) => {
  const keys = [
    generateKeyPairSync('ed25519').privateKey,
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  ]
  for (const key of keys) {
    const der = key.export({ type: 'pkcs8', format: 'der' }).toString('base64')
    const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
    for (const text of [der, pem, Buffer.from(pem).toString('base64'), `/etc/${der}`]) {
      const shown = '‹a key in the place of a path›'
      t.equal(shownFile(text), shown, `${key.asymmetricKeyType}`)
      t.throws(() => readTextFile(text, 'a PEM file'), {
        message: new RegExp(`^${shown}: expected a PEM file`),
      })
    }
  }
})

t.test('a path is shown as it is', (t) => {
  for (const file of [
    'key.pem',
    `/Mounts/${'a-folder/'.repeat(20)}key.pem`,
    'Makefile',
    '/home/Mary/projects/tokenservice/configuration/certificates/keys/server',
    'MII',
    '/home/alice/My-Certificates-of-a-service-with-a-very-long-name/and-further/down/key',
  ])
    t.equal(shownFile(file), file)
  t.end()
})
