"""The page that `rosenblatt studio` serves: watch a learner learn, in the browser."""
