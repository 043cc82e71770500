export { ReviewSummary, Rows, spanOf } from '../../sdk-react/src/review.tsx';
export { visible } from '../../sdk-react/src/visible.ts';
