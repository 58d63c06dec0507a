import t from 'tap'
import { freePorts } from './listen.js'

t.test('a port is given to one caller only', async (t) => {
  const ports = (await Promise.all([freePorts(300), freePorts(300)])).flat()
  t.equal(new Set(ports).size, 600)
})
