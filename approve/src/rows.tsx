export { ReviewSummary, Rows, spanOf } from '../../sdk-react/src/review.tsx';
