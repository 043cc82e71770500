export { type LiveFrame, type LiveInput, type LiveKey, type LiveView, liveKeys, openLiveView } from './live-view.ts';
