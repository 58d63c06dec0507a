import { importTests } from '../fixtures/import-tests.js'

importTests(['tests'], 'tests/scenarios')
