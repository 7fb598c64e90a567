import CardRigCLI

CardRigCommand.runProcess(CommandLine.arguments)
