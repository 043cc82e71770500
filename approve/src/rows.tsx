export { ReviewSummary, Rows } from '../../sdk-react/src/review.tsx';
