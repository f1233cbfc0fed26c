import { testBasicPlan } from './basic-plan.ts'
import { test } from './provider.ts'

test.describe('official plan oidcc-basic-certification-test-plan', () => testBasicPlan({}))
