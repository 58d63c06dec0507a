import { importTests } from '../fixtures/import-tests.js'

importTests(['cli'])
