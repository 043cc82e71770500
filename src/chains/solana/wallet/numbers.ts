import { sql } from 'kysely';
import type { Store } from '../../../store/types.ts';
